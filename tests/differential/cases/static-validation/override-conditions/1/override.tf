resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition = true
      error_message = "x"
    }
    postcondition {
      condition = true
      error_message = "x"
    }
    ignore_changes = [nope]
    prevent_destroy = "x"
  }
  provisioner "local-exec" { command = "x" }
  connection { host = "x" }
}
output "o" {
  precondition {
    condition = true
    error_message = "x"
  }
  depends_on = [nope.x]
}
