output "below" { value = nonsense }
