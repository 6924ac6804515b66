resource "terraform_data" "r" {
  input = 2
  lifecycle {
    ignore_changes = [nope, count, input.x, provider]
  }
}
