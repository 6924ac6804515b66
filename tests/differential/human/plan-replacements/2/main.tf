resource "terraform_data" "base" {
  input            = { list = ["a", "c"], map = { k = "v", l = "w" } }
  triggers_replace = ["one", { deep = false }]
}
resource "terraform_data" "uses" {
  input = [terraform_data.base.id, "fixed", { id = terraform_data.base.id }]
}
resource "terraform_data" "first" {
  input            = "f"
  triggers_replace = "x\nz\n"
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "triggered" {
  input = "t"
  lifecycle {
    replace_triggered_by = [terraform_data.base]
  }
}
resource "terraform_data" "json" {
  triggers_replace = jsonencode({ a = [1, 3], b = "same" })
}
resource "terraform_data" "secret" {
  triggers_replace = sensitive("two")
}
