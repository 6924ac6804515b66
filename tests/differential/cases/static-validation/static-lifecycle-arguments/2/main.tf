resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = null
    prevent_destroy = "true"
    ignore_changes = ["input", input, "all", all, "*", foo.bar[0], a["x"], [], 1, nope]
    replace_triggered_by = [terraform_data.b, terraform_data.b.id, terraform_data.b[0], terraform_data.a, var.x, local.y, terraform_data.c[each.key], terraform_data.c[count.index], each.value, self, path.module, data.x.y, module.z, 1, "terraform_data.b", terraform_data.nope, terraform_data.b.nope, terraform_data.b[terraform_data.x.id], foo(), null]
  }
}
resource "terraform_data" "b" {}
