resource "terraform_data" "a" {
  input = self.id
  triggers_replace = terraform_data.a.id
}
resource "terraform_data" "b" {
  count = terraform_data.b.id
}
resource "terraform_data" "c" {
  for_each = terraform_data.c
}
resource "terraform_data" "d" {
  depends_on = [terraform_data.d]
}
resource "terraform_data" "e" {
  for_each = each.value
  input = each.foo
}
resource "terraform_data" "f" {
  count = count.index
  input = count.foo
}
resource "terraform_data" "g" {
  input = [count, each, self, path, terraform]
}
resource "terraform_data" "h" {
  count = 2
  input = terraform_data.h[0].id
}
