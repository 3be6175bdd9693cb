            .program one
            .program two
            done
