resource "terraform_data" "plain" {
  input = "2"
}
resource "terraform_data" "object" {
  input = { x = 2, y = 1 }
}
resource "terraform_data" "counted" {
  count = 2
  input = count.index + 1
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = each.key == "a" ? 2 : 1
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
    replace_triggered_by  = [terraform_data.replaced.id]
    create_before_destroy = true
  }
}
resource "terraform_data" "chained" {
  lifecycle {
    replace_triggered_by = [terraform_data.by_x]
  }
}
