output "j" { value = ns::foo }
