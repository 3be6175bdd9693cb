! SPDX-License-Identifier: GPL-3.0-or-later
! Fortran: arrays, formatted output, complex numbers, a file: what run_riscv.sh compares on two machines.
program science
  implicit none
  integer, parameter :: n = 40
  real(8) :: a(n, n), b(n), x(n)
  complex(8) :: z
  character(len=20) :: text
  integer :: i, j
  do i = 1, n
    do j = 1, n
      a(i, j) = 1.0d0 / (i + j - 1) + merge(2.0d0, 0.0d0, i == j)
    end do
    b(i) = sin(real(i, 8))
  end do
  x = 0
  do i = 1, 100
    do j = 1, n
      x(j) = x(j) + (b(j) - dot_product(a(j, :), x)) / a(j, j)
    end do
  end do
  print '(a, 3f18.12)', 'solution ', x(1), x(n / 2), x(n)
  print '(a, es22.14)', 'residual ', maxval(abs(matmul(a, x) - b))
  z = exp(cmplx(0.0d0, acos(-1.0d0), 8)) * sqrt((-2.0d0, 1.0d0))
  print *, z, huge(1), epsilon(1.0d0)
  open (10, status='scratch')
  write (10, *) (i * i, i = 1, 10)
  rewind (10)
  read (10, *) (x(i), i = 1, 10)
  write (text, '(i0, "/", f0.3)') int(sum(x(1:10))), norm2(x(1:10))
  print *, trim(text), count(x > 0.5d0)
  stop 4
end program science
