import {
  to = random_integer.imported
  id = "${provider::time::duration_parse("7s").seconds},1,9"
}

resource "random_integer" "imported" {
  min = 1
  max = provider::time::duration_parse("9s").seconds
}
