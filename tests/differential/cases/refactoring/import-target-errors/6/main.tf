import {
  to = data.terraform_remote_state.x
  id = "1"
}

import {
  to = module.child
  id = "1"
}

import {
  to = terraform_data.a.id
  id = "1"
}

resource "terraform_data" "a" {
}
