output "g" { value = foo(1..., 2) }
