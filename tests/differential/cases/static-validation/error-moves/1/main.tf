resource "terraform_data" "still" {}

resource "terraform_data" "counted" {
  count = 2
}

resource "terraform_data" "each" {
  for_each = { a = 1 }
}

moved {
  from = terraform_data.still
  to   = terraform_data.other
}

moved {
  from = terraform_data.counted[1]
  to   = terraform_data.other_counted[1]
}

moved {
  from = terraform_data.counted[7]
  to   = terraform_data.nothing[7]
}

moved {
  from = terraform_data.each["a"]
  to   = terraform_data.other_each["a"]
}

moved {
  from = terraform_data.same
  to   = terraform_data.same
}

moved {
  from = terraform_data.twice
  to   = terraform_data.first
}

moved {
  from = terraform_data.twice
  to   = terraform_data.second
}

moved {
  from = terraform_data.one
  to   = terraform_data.merged
}

moved {
  from = terraform_data.two
  to   = terraform_data.merged
}
