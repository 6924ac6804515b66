output "a" { value = "%{ if true }a" }
