resource "terraform_data" "updated" {
  input = 2
}
resource "terraform_data" "replaced" {
  triggers_replace = 2
}
resource "terraform_data" "tainted" {}
resource "terraform_data" "requested" {}
resource "terraform_data" "shrinks" {
  count = 1
}
resource "terraform_data" "grows" {
  count = 1
}
resource "terraform_data" "after" {}
moved {
  from = terraform_data.before
  to   = terraform_data.after
}
resource "terraform_data" "same" {}

resource "terraform_data" "by_updated" {
  lifecycle {
    replace_triggered_by = [terraform_data.updated]
  }
}
resource "terraform_data" "by_replaced" {
  lifecycle {
    replace_triggered_by = [terraform_data.replaced]
  }
}
resource "terraform_data" "by_tainted" {
  lifecycle {
    replace_triggered_by = [terraform_data.tainted]
  }
}
resource "terraform_data" "by_requested" {
  lifecycle {
    replace_triggered_by = [terraform_data.requested.id]
  }
}
resource "terraform_data" "by_shrinks" {
  lifecycle {
    replace_triggered_by = [terraform_data.shrinks]
  }
}
resource "terraform_data" "by_grows" {
  lifecycle {
    replace_triggered_by = [terraform_data.grows, terraform_data.grows[0].id]
  }
}
resource "terraform_data" "by_moved" {
  lifecycle {
    replace_triggered_by = [terraform_data.after]
  }
}
resource "terraform_data" "by_same" {
  lifecycle {
    replace_triggered_by = [terraform_data.same, terraform_data.same.output]
  }
}
moved {
  from = terraform_data.by["updated"]
  to   = terraform_data.by_updated
}
moved {
  from = terraform_data.by["replaced"]
  to   = terraform_data.by_replaced
}
moved {
  from = terraform_data.by["tainted"]
  to   = terraform_data.by_tainted
}
moved {
  from = terraform_data.by["requested"]
  to   = terraform_data.by_requested
}
moved {
  from = terraform_data.by["shrinks"]
  to   = terraform_data.by_shrinks
}
moved {
  from = terraform_data.by["grows"]
  to   = terraform_data.by_grows
}
moved {
  from = terraform_data.by["moved"]
  to   = terraform_data.by_moved
}
moved {
  from = terraform_data.by["same"]
  to   = terraform_data.by_same
}
