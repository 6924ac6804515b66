output "f"
