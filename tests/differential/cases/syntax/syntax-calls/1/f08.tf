output "i" { value = ns::foo( }
