import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.b[0]
  id = "x"
}
