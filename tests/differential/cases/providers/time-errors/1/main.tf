terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

resource "time_static" "bad" {
  rfc3339 = "yesterday"
}

resource "time_offset" "nothing" {
  base_rfc3339 = "2020-01-31T00:00:00Z"
}

resource "time_rotating" "nothing" {
}

resource "time_sleep" "bad" {
  create_duration = "long"
}
