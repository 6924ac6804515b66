variable "a" {
  default = 1
}
resource "terraform_data" "plain" {
  input = "1"
}
resource "terraform_data" "object" {
  input = { x = 1, y = 1 }
}
resource "terraform_data" "counted" {
  count = 2
  input = 1
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = 1
}
resource "terraform_data" "replaced" {
  triggers_replace = 1
}
resource "terraform_data" "by_plain" {
  lifecycle {
    replace_triggered_by = [terraform_data.plain]
  }
}
resource "terraform_data" "by_x" {
  lifecycle {
    replace_triggered_by = [terraform_data.object.input.x]
  }
}
resource "terraform_data" "by_y" {
  lifecycle {
    replace_triggered_by = [terraform_data.object.input.y]
  }
}
resource "terraform_data" "by_index" {
  count = 2
  lifecycle {
    replace_triggered_by = [terraform_data.counted[count.index].input]
  }
}
resource "terraform_data" "by_key" {
  for_each = toset(["a", "b"])
  lifecycle {
    replace_triggered_by = [terraform_data.each[each.key]]
  }
}
resource "terraform_data" "by_any" {
  lifecycle {
    replace_triggered_by  = [terraform_data.counted, terraform_data.replaced.id]
    create_before_destroy = true
  }
}
resource "terraform_data" "chained" {
  lifecycle {
    replace_triggered_by = [terraform_data.by_x]
  }
}
