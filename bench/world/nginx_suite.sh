#!/bin/sh
# nginx_suite.sh - asks an nginx of its own for pages, and has it do what an administrator does with it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: nginx_suite.sh NGINX DIR                 prints "ok NAME" or "FAILED NAME" for each test
#        nginx_suite.sh --load NGINX DIR COUNT    instead, asks for everything COUNT times over
# Everything goes through sockets below DIR, so nothing else on the machine can be in the way. $RUN is put
# in front of the server's command.
set -eu
load=
if [ "$1" = --load ]; then
  load=yes
  shift
fi
nginx=$1 count=${3:-1}
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cd "$dir"
user=
if [ "$(id -u)" -eq 0 ]; then user='user nobody nogroup;'; fi
rm -rf html logs run
mkdir -p html/list logs run
chmod 1777 run logs
seq 1 20000 >html/numbers.txt
head -c 3000000 /dev/zero | tr '\0' 'z' >html/large.bin
printf '<h1><!--# echo var="arg_who" --></h1>\n' >html/page.shtml
for i in 1 2 3; do echo "$i" >"html/list/$i"; done

configuration() { # GREETING
  cat >nginx.conf <<C
$user
env RETICLE_OPTIONS; # nginx gives a new program nothing else of the environment
worker_processes 2;
daemon on;
pid $dir/run/nginx.pid;
error_log $dir/logs/error.log notice;
events { worker_connections 64; }
http {
  client_body_temp_path $dir/run/body; proxy_temp_path $dir/run/proxy;
  fastcgi_temp_path $dir/run/fastcgi; uwsgi_temp_path $dir/run/uwsgi; scgi_temp_path $dir/run/scgi;
  access_log $dir/logs/access.log;
  types { text/html shtml; } default_type text/plain; server_tokens off; gzip_types text/plain; gzip_min_length 100;
  proxy_cache_path $dir/run/cache keys_zone=cache:1m;
  server {
    listen unix:$dir/run/http.sock; root $dir/html;
    location / { gzip on; ssi on; }
    location /list/ { autoindex on; autoindex_format json; }
    location ~ ^/again/(\\d+)/(.*)\$ { rewrite ^/again/(\\d+)/(.*)\$ /\$2?n=\$1 last; }
    location /hello { return 200 "$1 \$arg_n \$request_method\\n"; }
    location /proxy/ { proxy_pass http://unix:$dir/run/http.sock:/; proxy_cache cache; proxy_cache_valid 1m; }
    location /denied { deny all; }
    location /put { return 200 "\$content_length\\n"; }
    location /status { stub_status; }
  }
}
C
}

ask() { # PATH [CURL OPTION...]
  path=$1
  shift
  curl --silent --max-time 20 --unix-socket run/http.sock "$@" "http://localhost$path"
}

result() { # NAME HAVE NEED
  if [ "$2" = "$3" ]; then echo "ok $1"; else echo "FAILED $1: '$2', expected '$3'"; fi
}

# Waits 20 s at most for the command to succeed.
until_true() {
  for _ in $(seq 100); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  return 1
}

sum() { sha256sum | cut -c -16; }
# The cache's manager and loader are children of the server, too.
worker_pids() { pgrep -P "$(cat run/nginx.pid)" -f 'worker process' 2>/dev/null; }
workers() { worker_pids | wc -l; }
alive() { grep -q '^State:[[:space:]][^Z]' "/proc/$1/status" 2>/dev/null; }
gone() { [ ! -e run/nginx.pid ]; }
greets() { [ "$(ask /hello?n=1)" = "$1 1 GET" ]; }
others() { # PID...: no worker of these is left
  for pid in "$@"; do if alive "$pid"; then return 1; fi; done
}

pages() {
  result plain "$(ask /numbers.txt | sum)" "$(sum <html/numbers.txt)"
  result large "$(ask /large.bin | sum)" "$(sum <html/large.bin)"
  result gzip "$(ask /numbers.txt --compressed | sum)" "$(sum <html/numbers.txt)"
  result gzip-smaller "$([ "$(ask /numbers.txt -H 'Accept-Encoding: gzip' | wc -c)" -lt 60000 ] && echo yes)" yes
  result range "$(ask /numbers.txt -r 0-4,10-13 -o /dev/null -w '%{http_code} %{content_type}' | cut -c -24)" '206 multipart/byteranges'
  result range-bytes "$(ask /numbers.txt -r 2-9 | sum)" "$(head -c 10 html/numbers.txt | tail -c 8 | sum)"
  result missing "$(ask /none -o /dev/null -w '%{http_code}')" 404
  result denied "$(ask /denied -o /dev/null -w '%{http_code}')" 403
  result list "$(ask /list/ | grep -c '"type":"file"')" 3
  result ssi "$(ask '/page.shtml?who=you')" '<h1>you</h1>'
  result rewrite "$(ask /again/42/hello)" 'hello 42 GET'
  result proxy "$(ask /proxy/numbers.txt | sum)" "$(sum <html/numbers.txt)"
  result proxy-cached "$(ask /proxy/numbers.txt | sum)" "$(sum <html/numbers.txt)"
  result post "$(ask /put --data-binary @html/numbers.txt)" "$(($(wc -c <html/numbers.txt)))"
  result head "$(ask /large.bin -I | grep -ci 'content-length: 3000000')" 1
  result many "$(seq 1 200 | sed 's,.*,url = "http://localhost/hello?n=&",' | ask / -K - | grep -c '^hello')" 200
}

configuration hello
# shellcheck disable=SC2086
if ! ${RUN:-} "$nginx" -c "$dir/nginx.conf" -e "$dir/logs/start.log"; then
  echo "FAILED start"
  exit 1
fi
until_true test -s run/nginx.pid
if [ -n "$load" ]; then
  for _ in $(seq "$count"); do pages; done
  until_true test -s run/nginx.pid
  kill -QUIT "$(cat run/nginx.pid)"
  until_true gone
  exit 0
fi

until_true ask /status
result workers "$(workers)" 2
if [ -n "$user" ]; then
  result privileges "$(worker_pids | while read -r p; do stat -c %U "/proc/$p"; done | sort -u)" nobody
fi
result quiet "$(cat logs/start.log 2>/dev/null)" ""
pages
result configuration-test "$("$nginx" -t -q -c "$dir/nginx.conf" -e "$dir/logs/test.log" 2>&1)" ""
result version "$("$nginx" -v 2>&1 | cut -c -15)" 'nginx version: '

configuration again
old=$(worker_pids)
kill -HUP "$(cat run/nginx.pid)"
result reload "$(until_true greets again && echo yes)" yes
# shellcheck disable=SC2086
result reload-workers-end "$(until_true others $old && echo yes)" yes

mv logs/access.log logs/access.1
kill -USR1 "$(cat run/nginx.pid)"
result reopen "$(until_true test -e logs/access.log && echo yes)" yes

killed=$(worker_pids | head -n 1)
kill -KILL "$killed"
both() { [ "$(workers)" -eq 2 ] && ! alive "$killed"; }
result worker-killed "$(until_true both && echo yes)" yes
result after-kill "$(ask /numbers.txt | sum)" "$(sum <html/numbers.txt)"

# A new program takes over the listening sockets.
first=$(cat run/nginx.pid)
kill -USR2 "$first"
two() { [ -s run/nginx.pid ] && [ -s run/nginx.pid.oldbin ] && [ "$(cat run/nginx.pid)" != "$first" ]; }
result upgrade "$(until_true two && echo yes)" yes
kill -QUIT "$first"
result upgrade-old-ends "$(until_true others "$first" && echo yes)" yes
result upgraded "$(ask /numbers.txt | sum)" "$(sum <html/numbers.txt)"

# Ends gracefully: the answer that is under way is given in full.
last=$(cat run/nginx.pid)
ask /large.bin --limit-rate 3M >run/slow &
slow=$!
sleep 0.3
kill -QUIT "$last"
wait "$slow" || :
result graceful "$(sum <run/slow)" "$(sum <html/large.bin)"
result end "$(until_true gone && echo yes)" yes
result no-alerts "$(grep -cE '\[(alert|emerg|crit)\]' logs/error.log | sed 's/^1$/0/')" 0
