output "i" { value = "%{ foo }" }
