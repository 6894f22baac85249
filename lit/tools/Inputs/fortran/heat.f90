! heat.f90 - a plate that cools down: a module with a hot loop, and a program that steps it 8000 times.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module plate
  implicit none
  integer, parameter :: n = 200
contains
  subroutine relax(now, next)
    real(8), intent(in) :: now(n, n)
    real(8), intent(inout) :: next(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        next(i, j) = 0.25d0*(now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
      end do
    end do
  end subroutine relax
end module plate

program heat
  use plate
  implicit none
  real(8), allocatable :: a(:, :), b(:, :)
  integer :: step
  allocate (a(n, n), b(n, n))
  a = 0
  a(1, :) = 100
  b = a
  do step = 1, 4000
    call relax(a, b)
    call relax(b, a)
  end do
  print '(f0.4)', a(2, n/2)
end program heat
