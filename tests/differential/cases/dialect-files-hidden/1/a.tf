output "a" { value = "tf" }
