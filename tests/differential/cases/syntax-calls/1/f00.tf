output "a" { value = foo( }
