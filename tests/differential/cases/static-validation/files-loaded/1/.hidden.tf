output "hidden" { value = nonsense }
