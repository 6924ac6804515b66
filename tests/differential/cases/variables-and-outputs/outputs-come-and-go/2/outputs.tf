output "text" {
  value       = "one"
  description = "A text"
}

output "list" {
  value = [terraform_data.r.output, 1, true]
}

output "nothing" {
  value = null
}

output "hidden" {
  value     = "secret"
  sensitive = true
}
