language {
  edition = tofu2024

  compatible_with {
    opentofu  = ">= 1.12.0"
    something = "else"
  }
}

output "x" {
  value = 1
}
