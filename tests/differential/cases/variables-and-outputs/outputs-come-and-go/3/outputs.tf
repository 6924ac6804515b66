output "text" {
  value     = "two"
  sensitive = true
}

output "list" {
  value = [terraform_data.r.output, 2, true, null]
}

output "nothing" {
  value = "something"
}

output "hidden" {
  value = "secret"
}
