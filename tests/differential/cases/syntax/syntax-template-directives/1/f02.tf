output "c" { value = "%{ if true }x" }
