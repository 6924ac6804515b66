import {
  to = terraform_data.late
  id = "late-${local.suffix}"
}

resource "terraform_data" "late" {
  triggers_replace = ["x"]
}
