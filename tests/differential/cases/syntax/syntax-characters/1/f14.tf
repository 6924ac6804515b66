output "k" { value = $foo }
