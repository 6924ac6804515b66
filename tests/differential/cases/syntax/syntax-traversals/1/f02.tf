output "c" { value = a.*.b }
