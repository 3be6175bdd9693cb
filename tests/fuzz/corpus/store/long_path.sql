UPDATE image SET path = printf('%.70000c', 'a')
