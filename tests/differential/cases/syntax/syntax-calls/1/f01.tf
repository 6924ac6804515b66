output "b" { value = foo(1 }
