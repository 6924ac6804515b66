resource "terraform_data" "r" {
  input = 1
  lifecycle {
    ignore_changes = [id, output, output.x, id, input, input]
  }
}
