output "b_native" { value = "tf beside b.tofu.json" }
