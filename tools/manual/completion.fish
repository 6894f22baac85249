# completion.fish - reticle on fish's command line: commands, options, and what those take.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Whether it is this command whose words are completed.
function __reticle_of --argument-names command
    set -l words (commandline -opc)
    test "$words[2]" = "$command"
end

# The same, but not behind --.
function __reticle_in --argument-names command
    __reticle_of $command; and not contains -- -- (commandline -opc)
end

# The same, but not behind its first operand either; the rest are options whose value is the next word.
function __reticle_before --argument-names command
    __reticle_in $command; or return
    set -l words (commandline -opc)
    set -l is_value no
    for word in $words[3..]
        if test $is_value = yes
            set is_value no
        else if contains -- $word $argv[2..]
            set is_value yes
        else if not string match -q -- '-*' $word
            return 1
        end
    end
    return 0
end

# Whether the command itself is completed.
function __reticle_first
    test (count (commandline -opc)) -eq 1
end

# Whether another program is, behind this command's --.
function __reticle_behind --argument-names command
    __reticle_of $command; and contains -- -- (commandline -opc)
end

function __reticle_program
    set -l words (commandline -opc)
    set -l rest $words[(math (contains -i -- -- $words) + 1)..]
    set -l line (string escape -- $rest) (commandline -ct)
    complete -C "$line"
end

# Profiles, studies and folders; other files where there are none.
function __reticle_profiles
    set -l files (complete -C "__fish_command_without_completions "(commandline -ct))
    set -l profiles (string match -r -- '^.*(?:\.prof|\.reticle)$' $files)
    set -q profiles[1]; and set files $profiles (string match -r -- '^.*/$' $files)
    string join \n -- $files
end

complete -c reticle -f
complete -c reticle -n __reticle_first -l help -s h -d 'list the commands'
complete -c reticle -n __reticle_first -l version -s V -d 'print the version'
@TABLES@
