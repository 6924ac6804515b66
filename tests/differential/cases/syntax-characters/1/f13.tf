output "j" { value = @foo }
