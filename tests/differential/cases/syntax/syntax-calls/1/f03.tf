output "d" { value = foo(,) }
