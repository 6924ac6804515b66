resource "terraform_data" "a" {
  count = 1
  for_each = {}
  depends_on = "x"
  provider = 1
  locals {}
  escape {}
}
data "terraform_remote_state" "a" {
  backend = "local"
  count = 1
  for_each = {}
  connection {}
  provisioner "local-exec" {}
  lifecycle { prevent_destroy = true }
}
