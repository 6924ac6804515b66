output "l" { value = [for] }
