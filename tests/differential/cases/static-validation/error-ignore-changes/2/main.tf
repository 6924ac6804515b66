resource "null_resource" "attribute" {
  lifecycle {
    ignore_changes = [trigger, id, triggers.a.b]
  }
}
resource "null_resource" "index" {
  lifecycle {
    ignore_changes = [id[0], triggers[0]]
  }
}
