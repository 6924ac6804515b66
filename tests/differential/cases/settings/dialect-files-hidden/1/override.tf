output "b_native" { value = "tf override" }
