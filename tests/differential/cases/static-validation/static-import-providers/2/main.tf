import {
  to = null_resource.a
  id = "x"
  provider = null.foo
}
