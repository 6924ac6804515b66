output "e" { value = foo(1,) }
