output "c" { value = 'abc' }
