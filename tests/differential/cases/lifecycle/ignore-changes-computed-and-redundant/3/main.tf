resource "terraform_data" "r" {
  input = 2
  lifecycle {
    ignore_changes = [id, output, output.x, id, output]
  }
}
