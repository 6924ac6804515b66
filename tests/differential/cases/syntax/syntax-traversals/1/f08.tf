output "i" { value = a.b[*].c.*.d }
