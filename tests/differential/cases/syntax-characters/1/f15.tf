output "l" { value = #foo }
