output "a" { value = 'single' }
