resource "terraform_data" "base" {
  input            = { list = ["a", "b"], map = { k = "v" } }
  triggers_replace = ["one", { deep = true }]
}
resource "terraform_data" "uses" {
  input = [terraform_data.base.id, "fixed", { id = terraform_data.base.id }]
}
resource "terraform_data" "first" {
  input            = "f"
  triggers_replace = "x\ny\n"
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
  triggers_replace = jsonencode({ a = [1, 2, 3], b = "same" })
}
resource "terraform_data" "secret" {
  triggers_replace = sensitive("one")
}
