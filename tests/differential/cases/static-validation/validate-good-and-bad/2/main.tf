variable "required" {}
resource "terraform_data" "r" {
  input = "${var.required}"
  lifecycle {
    ignore_changes = ["input"]
  }
  provisioner "local-exec" {
    when    = "create"
    command = "true"
  }
}
