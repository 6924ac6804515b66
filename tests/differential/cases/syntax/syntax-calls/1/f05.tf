output "f" { value = foo(1...) }
