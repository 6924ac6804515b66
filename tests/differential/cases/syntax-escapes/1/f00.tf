output "a" { value = "\q" }
