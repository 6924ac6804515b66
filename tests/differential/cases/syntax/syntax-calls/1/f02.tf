output "c" { value = foo(1 2) }
