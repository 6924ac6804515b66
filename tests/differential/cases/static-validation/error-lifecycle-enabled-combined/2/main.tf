ephemeral "terraform_data" "e" {
  count = 1
  lifecycle {
    enabled = true
  }
}
